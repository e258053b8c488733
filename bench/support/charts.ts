// Draws charts as SVG: bars to compare contestants, lines for growth. The colours differ in print too, and the background
// stays white on dark pages.

export interface Bar {
  name: string;
  value: number;
  /** The minimum and maximum of the rounds, drawn as a thin line over the bar. */
  least: number;
  most: number;
}

export interface BarChart {
  title: string;
  unit: string;
  groups: readonly { label: string; bars: readonly Bar[] }[];
}

export interface LineChart {
  title: string;
  unit: string;
  xTitle: string;
  /** Points from left to right; x above 0. */
  lines: readonly { name: string; points: readonly { x: number; y: number }[] }[];
}

const COLOURS = ["#0b6e4f", "#8a8d91", "#d1495b", "#2e86ab", "#edae49", "#6a4c93"];
const [WIDTH, HEIGHT] = [760, 340];
const area = { left: 64, right: WIDTH - 16, top: 48, bottom: HEIGHT - 56 };
const MARKS = 4;

export function drawBars({ title, unit, groups }: BarChart): string {
  const top = niceTop(Math.max(...groups.flatMap(({ bars }) => bars.map(({ most }) => most))));
  const y = (value: number) => area.bottom - (value / top) * (area.bottom - area.top);
  const groupWidth = (area.right - area.left) / groups.length;
  const names = [...new Set(groups.flatMap(({ bars }) => bars.map(({ name }) => name)))];
  const width = (groupWidth * 0.8) / names.length;
  const shapes = groups.flatMap(({ label, bars }, group) => {
    const left = area.left + group * groupWidth + groupWidth * 0.1;
    return [
      textAt(left + groupWidth * 0.4, area.bottom + 18, label, "middle"),
      ...bars.flatMap(({ name, value, least, most }) => {
        const x = left + names.indexOf(name) * width;
        return [
          `<rect x="${at(x + 1)}" y="${at(y(value))}" width="${at(width - 2)}" height="${at(area.bottom - y(value))}" fill="${colourOf(names.indexOf(name))}"/>`,
          lineAt([x + width / 2, y(least)], [x + width / 2, y(most)], "#222"),
        ];
      }),
    ];
  });
  return page(title, [...scale(top, unit, y), ...shapes, ...legend(names)]);
}

export function drawLines({ title, unit, xTitle, lines }: LineChart): string {
  const points = lines.flatMap((line) => line.points);
  const top = niceTop(Math.max(...points.map((point) => point.y)));
  const y = (value: number) => area.bottom - (value / top) * (area.bottom - area.top);
  const xs = [...new Set(points.map((point) => point.x))].sort((a, b) => a - b);
  const [from, to] = [Math.log10(xs[0] ?? 1), Math.log10(xs.at(-1) ?? 10)];
  const x = (value: number) =>
    area.left + 16 + ((Math.log10(value) - from) / (to - from || 1)) * (area.right - area.left - 48);
  const shapes = lines.flatMap((line, number) => [
    `<polyline fill="none" stroke="${colourOf(number)}" stroke-width="2.5" points="${line.points.map((point) => `${at(x(point.x))},${at(y(point.y))}`).join(" ")}"/>`,
    ...line.points.map(
      (point) => `<circle cx="${at(x(point.x))}" cy="${at(y(point.y))}" r="3.5" fill="${colourOf(number)}"/>`,
    ),
  ]);
  const places = xs.map((value) => textAt(x(value), area.bottom + 18, number.format(value), "middle"));
  const below = textAt(
    (area.left + area.right) / 2,
    area.bottom + 36,
    `${xTitle} (each step as wide as its factor)`,
    "middle",
  );
  return page(title, [...scale(top, unit, y), ...places, below, ...shapes, ...legend(lines.map(({ name }) => name))]);
}

/** 1, 2 or 5 times a power of ten, not below `most`. */
export function niceTop(most: number): number {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((step) => step * power >= most) ?? 10) * power;
}

function scale(top: number, unit: string, y: (value: number) => number): string[] {
  const marks = Array.from({ length: MARKS + 1 }, (_, mark) => (top * mark) / MARKS);
  return [
    ...marks.map((mark) => lineAt([area.left, y(mark)], [area.right, y(mark)], "#ddd")),
    ...marks.map((mark) => textAt(area.left - 6, y(mark) + 4, number.format(mark), "end")),
    textAt(area.left - 56, area.top - 8, unit, "start"),
  ];
}

function legend(names: readonly string[]): string[] {
  const step = (WIDTH - 32) / Math.max(1, names.length);
  return names.flatMap((name, at) => [
    `<rect x="${16 + at * step}" y="${HEIGHT - 16}" width="10" height="10" fill="${colourOf(at)}"/>`,
    textAt(30 + at * step, HEIGHT - 7, name, "start"),
  ]);
}

function page(title: string, shapes: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="11" role="img" aria-label="${escaped(title)}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="16" y="22" font-size="14" font-weight="bold" fill="#222">${escaped(title)}</text>`,
    ...shapes,
    "</svg>\n",
  ].join("\n");
}

type Anchor = "start" | "middle" | "end";

function textAt(x: number, y: number, text: string, anchor: Anchor): string {
  return `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}" fill="#222">${escaped(text)}</text>`;
}

function lineAt([x1, y1]: [number, number], [x2, y2]: [number, number], colour: string): string {
  return `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" stroke="${colour}"/>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

const at = (value: number) => value.toFixed(1);
const colourOf = (number: number) => COLOURS[number % COLOURS.length] as string;
const number = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
