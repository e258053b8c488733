/**
 * What another list's check found; null where it failed, which says nothing of this list. Rejects with the signal's reason
 * as soon as the signal is aborted, however long the check takes.
 */
export async function outcomeOf<Found>(check: Promise<Found>, signal: AbortSignal): Promise<Found | null> {
  signal.throwIfAborted();
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([check.catch(() => null), left.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
