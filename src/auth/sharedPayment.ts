// Charges one request to the service that many viewers wait for: to one of them, each time to another.
import type { Viewer } from "./scopes.ts";

/** Viewers that are tried for one request. If all of them are over their limit, the request is refused. */
const MAX_TRIED = 100;

/**
 * Charges the first member that is within its limit. It moves to the end of `members`, behind those that were over their
 * limit, so that the next request begins with another member. Rejects with the last rejection of `pay`.
 */
export async function shareCost<Member extends { viewer: () => Viewer | null }>(
  members: Set<Member>,
  pay: (viewer: Viewer) => void | Promise<void>,
): Promise<void> {
  const tried = new Set<string>();
  const skipped: Member[] = [];
  let refusal: unknown = null;
  for (const member of members) {
    const viewer = member.viewer();
    if (viewer && !tried.has(viewer.name)) {
      if (tried.size === MAX_TRIED) break;
      tried.add(viewer.name);
      try {
        await pay(viewer);
        return moveToEnd(members, [...skipped, member]);
      } catch (error) {
        refusal = error;
      }
    }
    skipped.push(member);
  }
  moveToEnd(members, skipped);
  if (refusal !== null) throw refusal;
}

/** Does not add members again that have left meanwhile. */
function moveToEnd<Member>(members: Set<Member>, some: readonly Member[]): void {
  for (const member of some) if (members.delete(member)) members.add(member);
}
