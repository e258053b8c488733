/**
 * What the browser keeps for this tab. Null where it refuses: reading the name throws with all site data blocked, and in some
 * frames (https://developer.mozilla.org/docs/Web/API/Window/sessionStorage#exceptions).
 */
export function tabStorage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
