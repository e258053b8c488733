/** What a listed call and an ended one have in common. */
export interface Call {
  id: string;
  /** Null for a listed call to which the service gave none. */
  sessionId: string | null;
  direction: string | null;
  caller: string | null;
  callee: string | null;
  startAt: string | null;
  /** Null while the call goes on. */
  endAt: string | null;
  answered: boolean | null;
  task: { name: string | null } | null;
  assistants: readonly { assistantId: string; versionId: string; assistant: { name: string | null } | null }[];
}

/** An ended call replaces the same call of the list; new ones come first, the newest on top. */
export function mergeCalls(listed: readonly Call[], ended: readonly Call[]): Call[] {
  const endings = new Map(ended.map((call) => [call.sessionId, call]));
  const merged = listed.map((call) => (call.sessionId !== null && endings.get(call.sessionId)) || call);
  const known = new Set(listed.map(({ sessionId }) => sessionId));
  const added = [...endings.values()].filter(({ sessionId }) => !known.has(sessionId));
  return [...added.toReversed(), ...merged];
}
