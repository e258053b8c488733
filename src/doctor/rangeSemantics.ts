// Which of a call's times the range filters, and which of its ends count. Of several calls, all must say the same.
import { counted, determined, undetermined, type Finding } from "./finding.ts";
import { timeFields, type TimeField } from "./observed.ts";
import { endRanges, type EndProbe, type FieldProbe } from "./rangeProbe.ts";

const FEWEST = 2;

/** Presence in each of `endRanges`, by what counts. A call must never come for a range that ends before it. */
const patterns = {
  both: [false, true, true, true, false],
  "startTime only": [false, false, false, true, false],
  "endTime only": [false, true, false, false, false],
  neither: [false, false, false, false, false],
} as const satisfies Record<string, readonly boolean[] & { length: (typeof endRanges)["length"] }>;

/** The one field whose second finds every probed call, while its other times do not find it; null: none, or several. */
export function filteredField(probes: readonly FieldProbe[]): TimeField | null {
  const found = timeFields.filter((field) => probes.every(({ around }) => around[field] === true));
  const [only] = found;
  if (only === undefined || found.length > 1 || probes.length < FEWEST) return null;
  const others = timeFields.filter((field) => field !== only);
  // A null beside it is a time that the call does not have, which cannot be what found it.
  return probes.every(({ around }) => others.every((field) => around[field] !== true)) ? only : null;
}

/** `ends` of the calls in `probes`, around the filtered field. */
export function rangeField(probes: readonly FieldProbe[], ends: readonly EndProbe[]): Finding {
  const calls = counted(probes.length, "call");
  if (probes.length < FEWEST) return undetermined("rangeField", `${calls} could be probed. It takes ${FEWEST}.`);
  const everywhere = probes.every(({ around }) => timeFields.every((field) => around[field] !== false));
  if (everywhere)
    return undetermined("rangeField", `${calls} came for every range asked: it has no effect, or a coarse one.`);
  const field = filteredField(probes);
  if (field === null) {
    const counts = timeFields.map((each) => `${each} ${probes.filter(({ around }) => around[each]).length}`);
    return undetermined("rangeField", `Of ${calls}, so many came for the seconds around: ${counts.join(", ")}.`);
  }
  if (!isExact(ends)) return undetermined("rangeField", `${calls} came near ${field}, but not for its very second.`);
  return determined("rangeField", field, `${calls} came for the seconds around ${field}, and for no other time.`);
}

export function rangeEnds(ends: readonly EndProbe[]): Finding {
  const calls = counted(ends.length, "call");
  if (ends.length < FEWEST) return undetermined("rangeEnds", "The field that the range filters is not known.");
  const found = Object.entries(patterns).filter(([, pattern]) => ends.every((seen) => isSame(seen, pattern)));
  const [only] = found;
  if (only === undefined) return undetermined("rangeEnds", `${calls} did not say the same.`);
  return determined("rangeEnds", only[0], `${calls}, each asked for in ${endRanges.length} ranges of a second or two.`);
}

/** A call that comes for the second before or behind is filtered by another time, which is near. */
export function isExact(ends: readonly EndProbe[]): boolean {
  return ends.length > 0 && ends.every((seen) => seen[0] === false && seen.at(-1) === false);
}

function isSame(seen: EndProbe, pattern: readonly boolean[]): boolean {
  return pattern.every((expected, at) => seen[at] === expected);
}
