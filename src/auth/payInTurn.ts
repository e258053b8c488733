// Who pays for what is asked of the service for many: one of those who wait for it, each time another.
import type { Viewer } from "./scopes.ts";

/** Viewers who are asked for one request: beyond them it is refused, as to a viewer who has asked too much. */
const MOST_ASKED = 10;

/** The first that can pays, and goes to the end of the order. Throws what the last one's `pay` threw. */
export async function payInTurn<Member extends { viewer: () => Viewer | null }>(
  members: Set<Member>,
  pay: (viewer: Viewer) => void | Promise<void>,
): Promise<void> {
  const asked = new Set<string>();
  let refusal: unknown = null;
  for (const member of members) {
    const viewer = member.viewer();
    if (!viewer || asked.has(viewer.name)) continue;
    if (asked.size === MOST_ASKED) break;
    asked.add(viewer.name);
    try {
      await pay(viewer);
      if (members.delete(member)) members.add(member);
      return;
    } catch (error) {
      refusal = error;
    }
  }
  if (refusal !== null) throw refusal;
}
