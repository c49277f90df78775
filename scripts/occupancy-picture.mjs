// Draws the occupancy of a session by message from event lines on stdin, and writes one SVG for light and one for dark
// pages into a folder. The README shows those of the sample session; test/e2e/readme.spec.ts compares them:
//   npx palimpsest demo
//   npx palimpsest events agent-session-36c81a4f | node scripts/occupancy-picture.mjs docs
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Colors by color scheme; text has a contrast of at least 4.5 to the page. */
const SCHEMES = {
  light: {
    text: '#1f2328',
    muted: '#59636e',
    grid: '#d1d9e0',
    line: '#0969da',
    trigger: '#9a6700',
    window: '#cf222e',
  },
  dark: {
    text: '#f0f6fc',
    muted: '#9198a1',
    grid: '#3d444d',
    line: '#4493f8',
    trigger: '#d29922',
    window: '#f85149',
  },
};
/** Sizes of the picture and of its plot, in pixels. */
const SIZE = { width: 800, height: 330 };
const PLOT = { left: 62, right: 772, top: 38, bottom: 284 };
const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
/** Tokens between two grid lines. */
const STEP = 8_000;

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

/** Returns the occupancy after each message and the compactions, in tokens. @throws {Error} without a compaction. */
const historyOf = (events) => {
  const messages = [];
  const compactions = [];
  let uncompacted = events[0].occupancy;
  for (const { type, occupancy, data } of events) {
    if (type === 'MessageAppended') {
      uncompacted += data.tokens;
      messages.push({ occupancy, uncompacted });
    }
    if (type === 'CompactionApplied') {
      const { billedBefore: before, billedAfter: after } = data;
      compactions.push({ message: messages.length, before, after });
    }
  }
  const hit = events.find(({ type }) => type === 'CompactionThresholdHit');
  if (hit === undefined) throw new Error('the session has no compaction to draw');
  const { threshold: trigger, window } = hit.data;
  return { messages, compactions, trigger, window };
};

/** Returns the points of the curve: one per message, and one at the end of each drop. */
const curveOf = ({ messages, compactions }) =>
  messages.flatMap(({ occupancy }, index) => [
    [index + 1, occupancy],
    ...compactions.filter(({ message }) => message === index + 1).map(({ after }) => [index + 1, after]),
  ]);

/** Returns the functions that map messages and tokens to pixels. */
const placesIn = ({ messages, window }) => {
  const top = window + STEP;
  const x = (message) => rounded(PLOT.left + ((PLOT.right - PLOT.left) * message) / messages.length);
  const y = (tokens) => rounded(PLOT.bottom - ((PLOT.bottom - PLOT.top) * tokens) / top);
  const path = (points) => `M${points.map(([message, tokens]) => `${x(message)} ${y(tokens)}`).join('L')}`;
  return { top, x, y, path };
};

const label = (x, y, color, anchor, words) =>
  `<text x="${x}" y="${rounded(y)}" fill="${color}" text-anchor="${anchor}">${words}</text>`;

const drawAxes = ({ messages, window }, { x, y }, colors) => {
  const tokens = Array.from({ length: window / STEP + 1 }, (_, index) => index * STEP);
  const numbers = Array.from({ length: Math.floor(messages.length / 20) + 1 }, (_, index) => index * 20);
  return [
    label(4, 20, colors.text, 'start', 'Billed tokens of the next request (estimated)'),
    ...tokens.map((value) => `<path d="M${PLOT.left} ${y(value)}H${PLOT.right}" stroke="${colors.grid}"/>`),
    ...tokens.map((value) => label(PLOT.left - 8, y(value) + 4, colors.muted, 'end', grouped(value))),
    ...numbers.map((value) => label(x(value), PLOT.bottom + 18, colors.muted, 'middle', value)),
    label((PLOT.left + PLOT.right) / 2, PLOT.bottom + 38, colors.text, 'middle', 'Messages'),
  ];
};

const drawThresholds = ({ trigger, window }, { y }, colors) => [
  `<path d="M${PLOT.left} ${y(window)}H${PLOT.right}" stroke="${colors.window}" stroke-width="1.5"/>`,
  label(PLOT.right, y(window) - 6, colors.window, 'end', `window: ${grouped(window)}`),
  `<path d="M${PLOT.left} ${y(trigger)}H${PLOT.right}" stroke="${colors.trigger}" stroke-width="1.5" stroke-dasharray="6 4"/>`,
  label(PLOT.left + 6, y(trigger) - 6, colors.trigger, 'start', `threshold: ${grouped(trigger)}`),
];

const drawUncompacted = ({ messages }, { top, x, path }, colors) => {
  const points = messages.map(({ uncompacted }, index) => [index + 1, uncompacted]);
  const exit = points.find(([, tokens]) => tokens > top) ?? points.at(-1);
  const words = `without compaction: ${grouped(messages.at(-1).uncompacted)} at the end`;
  return [
    `<path d="${path(points)}" clip-path="url(#plot)" fill="none" stroke="${colors.muted}" stroke-width="1.5" stroke-dasharray="4 4"/>`,
    label(x(exit[0]) + 8, PLOT.top + 12, colors.muted, 'start', words),
  ];
};

const drawOccupancy = (history, { x, y, path }, colors) => {
  const { messages, compactions } = history;
  const curve = curveOf(history);
  return [
    `<path d="${path([[1, 0], ...curve, [messages.length, 0]])}Z" fill="${colors.line}" fill-opacity=".12"/>`,
    `<path d="${path(curve)}" fill="none" stroke="${colors.line}" stroke-width="2" stroke-linejoin="round"/>`,
    ...compactions.flatMap(({ message, after }) => [
      `<circle cx="${x(message)}" cy="${y(after)}" r="4" fill="${colors.line}"/>`,
      label(x(message), y(after) + 19, colors.text, 'middle', grouped(after)),
    ]),
  ];
};

const draw = (history, colors) => {
  const places = placesIn(history);
  const { left, right, top, bottom } = PLOT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-labelledby="title desc" font-family="${FONTS}" font-size="14">`,
    '<title id="title">Occupancy of a session with compactions</title>',
    `<desc id="desc">${describe(history)}</desc>`,
    `<clipPath id="plot"><rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/></clipPath>`,
    ...drawAxes(history, places, colors),
    ...drawThresholds(history, places, colors),
    ...drawUncompacted(history, places, colors),
    ...drawOccupancy(history, places, colors),
    '</svg>',
    '',
  ].join('\n');
};

const rounded = (pixels) => Math.round(pixels * 10) / 10;

const describe = ({ messages, compactions, trigger, window }) => {
  const drops = compactions
    .map(
      ({ message, before, after }) =>
        `after message ${message} from ${grouped(before)} to ${grouped(after)} tokens`,
    )
    .join(', ');
  return `${messages.length} messages in a window of ${grouped(window)} tokens. Each time that the occupancy reaches ${grouped(trigger)} tokens, a compaction lowers it: ${drops}. Without compaction the request would have ${grouped(messages.at(-1).uncompacted)} tokens at the end.`;
};

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node scripts/occupancy-picture.mjs FOLDER < EVENTS');
const history = historyOf((await text(process.stdin)).trim().split('\n').map(JSON.parse));
for (const [scheme, colors] of Object.entries(SCHEMES))
  await writeFile(join(folder, `occupancy-${scheme}.svg`), draw(history, colors));
