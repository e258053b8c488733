// Tells in which form a time is written, without a zone: the wall clock's digits are kept as if they were UTC.
export type TimeForm = "wall" | "rfc3339" | "epochSeconds" | "epochMilliseconds" | NoTime | "unknown";
export type NoTime = "zero" | "empty" | "null" | "absent";

export interface SeenTime {
  form: TimeForm;
  /** Epoch ms; of the wall clock as if it were UTC; null where there is no time, or none that can be read. */
  ms: number | null;
  /** The offset that RFC 3339 shows, in ms; null for `Z`, which many write of any zone, and for other forms. */
  shownOffset: number | null;
}

const WALL = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?$/;
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|([+-])(\d\d):(\d\d))$/;
/** Go's zero time is in the year 1, and up to a day before it in a local zone. */
const ZERO = /^000[01]-/;
const SECONDS = /^\d{10}$/;
const MILLISECONDS = /^\d{13}$/;

export const isInstant = ({ form }: SeenTime): boolean =>
  form === "rfc3339" || form === "epochSeconds" || form === "epochMilliseconds";

export function seeTime(value: unknown): SeenTime {
  if (value === undefined) return none("absent");
  if (value === null) return none("null");
  if (value === "") return none("empty");
  if (value === 0) return none("zero");
  if (typeof value !== "string" && typeof value !== "number") return none("unknown");
  const text = String(value);
  if (ZERO.test(text)) return none("zero");
  if (SECONDS.test(text)) return { form: "epochSeconds", ms: Number(text) * 1000, shownOffset: null };
  if (MILLISECONDS.test(text)) return { form: "epochMilliseconds", ms: Number(text), shownOffset: null };
  const rfc3339 = RFC3339.exec(text);
  if (rfc3339) return dated("rfc3339", text, offsetOf(rfc3339));
  const [, date, time] = WALL.exec(text) ?? [];
  return date === undefined ? none("unknown") : dated("wall", `${date}T${time}Z`, null);
}

function dated(form: TimeForm, text: string, shownOffset: number | null): SeenTime {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? none("unknown") : { form, ms, shownOffset };
}

function offsetOf([, , zone, sign, hours, minutes]: RegExpExecArray): number | null {
  if (zone === "Z") return null;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

const none = (form: TimeForm): SeenTime => ({ form, ms: null, shownOffset: null });
