// Sent tasks that somebody put aside in this browser: they are not listed among those that wait. The gateway follows them on.
import { keep, readKept } from "../../../locale/preferences.ts";

const ENTRY = "switchboard-put-aside";
/** The oldest one beyond is listed again. */
const MOST = 500;

export function readAside(): ReadonlySet<string> {
  const kept = readKept(ENTRY);
  return new Set(Array.isArray(kept) ? kept.filter((id): id is string => typeof id === "string") : []);
}

/** Returns all that are aside then. */
export function setAside(id: string, isAside: boolean): ReadonlySet<string> {
  const others = [...readAside()].filter((each) => each !== id);
  keep(ENTRY, [...others, ...(isAside ? [id] : [])].slice(-MOST));
  return readAside();
}
