// Who pays for what is asked of the service for many: one of those who wait for it, each time another.
import type { Viewer } from "./scopes.ts";

/** Viewers who are asked for one request: beyond them it is refused, as to a viewer who has asked too much. */
const MOST_ASKED = 100;

/**
 * The first that can pays, and goes to the end of the order, behind those who could not: they are not the first to be asked
 * for the next request either. Throws what the last one's `pay` threw.
 */
export async function shareCost<Member extends { viewer: () => Viewer | null }>(
  members: Set<Member>,
  pay: (viewer: Viewer) => void | Promise<void>,
): Promise<void> {
  const asked = new Set<string>();
  const passed: Member[] = [];
  let refusal: unknown = null;
  for (const member of members) {
    const viewer = member.viewer();
    if (viewer && !asked.has(viewer.name)) {
      if (asked.size === MOST_ASKED) break;
      asked.add(viewer.name);
      try {
        await pay(viewer);
        return putBehind(members, [...passed, member]);
      } catch (error) {
        refusal = error;
      }
    }
    passed.push(member);
  }
  putBehind(members, passed);
  if (refusal !== null) throw refusal;
}

/** Who has left meanwhile stays away. */
function putBehind<Member>(members: Set<Member>, some: readonly Member[]): void {
  for (const member of some) if (members.delete(member)) members.add(member);
}
