// The groups of subscribers who are told the same, by what they ask and may see. A group lives as long as it has members.
import type { ExecutionResult, ValidatedExecutionArgs } from "graphql";
import type { Grant } from "../../auth/grant.ts";
import { payInTurn } from "../../auth/sharedPayment.ts";
import type { Viewer } from "../../auth/scopes.ts";
import type { EventLog, FollowRequest } from "../../events/eventLog.ts";
import type { Log } from "../../log.ts";
import { createReader, createRefusedReader, type ReaderOf } from "../../store/scheduling/queryOwner.ts";
import { createAsker, type Allowance, type Asker } from "../../upstream/requester.ts";
import type { Awaitable } from "../../util/maybePromise.ts";
import { createOpen, type Open } from "../requestId.ts";
import { createGroup, type Group, type Member, type Take } from "./sharedGroup.ts";
import { rootOf, sharingKey, sharingOf, shownOf, type Sharing } from "./groupKey.ts";
import type { Subscribers } from "./subscriberCount.ts";
import type { Seam } from "./subscription.ts";

export interface SharedStreams {
  /** Where this subscriber may be told by a group; null where it shares nothing with others. */
  seamFor(subscriber: Subscriber): Seam | null;
}

export interface Subscriber {
  operation: ValidatedExecutionArgs;
  /** Of each event. */
  allowance: Allowance;
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
  asker: Asker;
  readerOf: ReaderOf;
  open: Open;
}

export interface SharedStreamsDeps {
  follow: EventLog["follow"];
  execute: (execution: SharedExecution) => Awaitable<ExecutionResult>;
  /** Counts a request to the service for the viewer; throws RATE_LIMITED. */
  pay: (viewer: Viewer, signal: AbortSignal) => void | Promise<void>;
  /** Counts rows that are about to be read for the viewer; throws RATE_LIMITED. */
  payRows: (viewer: Viewer, rows: number) => Promise<void>;
  /** Counts the groups that there are. */
  present: Pick<Subscribers, "enter">;
  log: Log;
}

interface Begin {
  key: string;
  sharing: Sharing;
  operation: ValidatedExecutionArgs;
  allowance: Allowance;
  rows: number;
  viewer: Viewer;
  request: FollowRequest;
  from: string;
}

const TOLD_TOGETHER = 200;
/** Under whose name nothing is read. */
const NOBODY = "";

export function createSharedStreams({ follow, execute, pay, payRows, present, log }: SharedStreamsDeps): SharedStreams {
  const groups = new Map<string, Group>();

  function begin({ key, sharing, operation, allowance, rows, viewer, request, from }: Begin): Group {
    const over = new AbortController();
    const leave = present.enter();
    const open = createOpen(log);
    const shown = shownOf(sharing, viewer);
    const group = createGroup({
      from,
      follow: (after) => follow({ ...request, after }),
      async payloadOf(item) {
        const rootValue = rootOf(sharing, item);
        if (rootValue === undefined) return null;
        const { signal } = over;
        const asker = createAsker({
          signal,
          allowance,
          beforeSend: () => payInTurn(group.members, (payer) => pay(payer, signal)),
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
  async function readerFor(members: Set<Member>, rows: number): Promise<ReaderOf> {
    let name = NOBODY;
    try {
      if (rows > 0) {
        await payInTurn(members, async (payer) => {
          await payRows(payer, rows);
          ({ name } = payer);
        });
      }
    } catch (refusal) {
      return () => createRefusedReader(name, refusal as Error);
    }
    return (signal) => createReader(name, signal);
  }

  return {
    seamFor({ operation, allowance, rows, grant, take }) {
      const sharing = sharingOf(operation);
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
