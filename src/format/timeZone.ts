/** Names of the IANA database. An offset such as +08:00, which Intl takes too, tells nothing of daylight saving and is none. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }).format() !== "";
  } catch {
    return false;
  }
}
