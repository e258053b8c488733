// The variables of one number of a new task (`extra`). They come back in its call-ended event, whose body is bounded too:
// larger ones would cost the event.
import { CORRELATION_KEY } from "./correlationToken.ts";

/** Where in the input, and what is wrong. */
export interface VariablesMistake {
  message: string;
  path: string[];
}

const DEEPEST = 100;
const MOST_VALUES = 1000;
/** Of JSON. A service that escapes each of them makes 192 KiB of them, which a webhook may have. */
const LONGEST = 32_768;

/** Looks at no more than the limits allow, however large the variables are. */
export function mistakeInVariables(extra: Record<string, unknown>): VariablesMistake | null {
  if (Object.hasOwn(extra, CORRELATION_KEY))
    return { message: "is a key of the gateway's own", path: [CORRELATION_KEY] };
  const message = excessOf(extra) ?? (JSON.stringify(extra).length > LONGEST ? TOO_LONG : null);
  return message === null ? null : { message, path: [] };
}

const TOO_LONG = `must have ${LONGEST} characters at most, as JSON`;

function excessOf(extra: Record<string, unknown>): string | null {
  let left = MOST_VALUES;
  let characters = LONGEST;
  function look(value: unknown, levels: number): string | null {
    left -= 1;
    if (left < 0) return `must hold ${MOST_VALUES} values at most`;
    if (typeof value === "string") characters -= value.length;
    if (characters < 0) return TOO_LONG;
    // 1e400 is read as Infinity, which would be sent as null.
    if (typeof value === "number" && !Number.isFinite(value)) return "holds a number that is too large";
    if (typeof value !== "object" || value === null) return null;
    if (levels === 0) return `must not be nested more than ${DEEPEST} levels deep`;
    for (const key in value) {
      characters -= key.length;
      const excess = look((value as Record<string, unknown>)[key], levels - 1);
      if (excess !== null) return excess;
    }
    return null;
  }
  return look(extra, DEEPEST);
}
