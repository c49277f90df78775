/**
 * Returns the first of `count` indexes for which `holds` is true; `count` if there is none. `holds` must be
 * monotonic.
 */
export const firstPlace = (count: number, holds: (place: number) => boolean): number => {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};
