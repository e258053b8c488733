// The groups of subscribers who are told the same, by what they ask and may see. A group lives as long as it has members.
import type { ExecutionResult, ValidatedExecutionArgs } from "graphql";
import type { Grant } from "../../auth/grant.ts";
import { shareCost } from "../../auth/sharedPayment.ts";
import type { Viewer } from "../../auth/scopes.ts";
import type { EventLog, FollowRequest } from "../../events/eventLog.ts";
import type { Log } from "../../log.ts";
import { createQueryOwner, createRefusedOwner, type QueryOwnerOf } from "../../store/scheduling/queryOwner.ts";
import { createRequester, type RequestAllowance, type Requester } from "../../upstream/requester.ts";
import type { MaybePromise } from "../../util/maybePromise.ts";
import { createOpen, type Open } from "../requestId.ts";
import { createSharedGroup, type SharedGroup, type Member, type Take } from "./sharedGroup.ts";
import { rootOf, sharingKey, groupKeyOf, shownOf, type GroupKey } from "./groupKey.ts";
import type { SubscriberCount } from "./subscriberCount.ts";
import type { GroupHandoff } from "./subscription.ts";

export interface GroupRegistry {
  /** Where this subscriber may be told by a group; null where it shares nothing with others. */
  seamFor(subscriber: Subscriber): GroupHandoff | null;
}

export interface Subscriber {
  operation: ValidatedExecutionArgs;
  /** Of each event. */
  allowance: RequestAllowance;
  /** Of the database, that each event reads at worst. */
  rows: number;
  grant: Grant;
  take: Take;
}

/** One event, for everyone of a group. Errors are public, under the group's own request ID. */
export interface SharedExecution {
  operation: ValidatedExecutionArgs;
  rootValue: unknown;
  viewer: Viewer;
  asker: Requester;
  readerOf: QueryOwnerOf;
  open: Open;
}

export interface GroupRegistryDeps {
  follow: EventLog["follow"];
  execute: (execution: SharedExecution) => MaybePromise<ExecutionResult>;
  /** Counts a request to the service for the viewer; throws RATE_LIMITED. */
  pay: (viewer: Viewer, signal: AbortSignal) => void | Promise<void>;
  /** Counts rows that are about to be read for the viewer; throws RATE_LIMITED. */
  payRows: (viewer: Viewer, rows: number) => Promise<void>;
  /** Counts the groups that there are. */
  present: Pick<SubscriberCount, "enter">;
  log: Log;
}

interface Begin {
  key: string;
  sharing: GroupKey;
  operation: ValidatedExecutionArgs;
  allowance: RequestAllowance;
  rows: number;
  viewer: Viewer;
  request: FollowRequest;
  from: string;
}

const TOLD_TOGETHER = 200;
/** Under whose name nothing is read. */
const NOBODY = "";

export function createGroupRegistry({ follow, execute, pay, payRows, present, log }: GroupRegistryDeps): GroupRegistry {
  const groups = new Map<string, SharedGroup>();

  function begin({ key, sharing, operation, allowance, rows, viewer, request, from }: Begin): SharedGroup {
    const over = new AbortController();
    const leave = present.enter();
    const open = createOpen(log);
    const shown = shownOf(sharing, viewer);
    const group = createSharedGroup({
      from,
      follow: (after) => follow({ ...request, after }),
      async payloadOf(item) {
        const rootValue = rootOf(sharing, item);
        if (rootValue === undefined) return null;
        const { signal } = over;
        const asker = createRequester({
          signal,
          allowance,
          beforeSend: () => shareCost(group.members, (payer) => pay(payer, signal)),
        });
        const readerOf = await readerFor(group.members, rows);
        return payloadOf(await execute({ operation, rootValue, viewer: shown, asker, readerOf, open }));
      },
      together: TOLD_TOGETHER,
      onOver() {
        groups.delete(key);
        leave();
        over.abort();
      },
      log,
    });
    groups.set(key, group);
    return group;
  }

  /** In the turn of the member who pays for the rows. Where none can, the event is told without them. */
  async function readerFor(members: Set<Member>, rows: number): Promise<QueryOwnerOf> {
    let name = NOBODY;
    try {
      if (rows > 0) {
        await shareCost(members, async (payer) => {
          await payRows(payer, rows);
          ({ name } = payer);
        });
      }
    } catch (refusal) {
      return () => createRefusedOwner(name, refusal as Error);
    }
    return (signal) => createQueryOwner(name, signal);
  }

  return {
    seamFor({ operation, allowance, rows, grant, take }) {
      const sharing = groupKeyOf(operation);
      if (!sharing) return null;
      return {
        take,
        groupAt(from, request) {
          const viewer = grant.viewer();
          if (!viewer) return null;
          const key = sharingKey(sharing, viewer);
          return groups.get(key) ?? begin({ key, sharing, operation, allowance, rows, viewer, request, from });
        },
      };
    },
  };
}

function payloadOf({ errors, ...rest }: ExecutionResult): Buffer {
  return Buffer.from(JSON.stringify(errors ? { ...rest, errors } : rest));
}
