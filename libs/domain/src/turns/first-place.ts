/** The first of `count` places where `holds`, which holds at all that follow it as well; `count` where it holds at none. */
export const firstPlace = (count: number, holds: (place: number) => boolean): number => {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};
