// Keeps the shared groups of subscribers, by their request and scopes. A group lives as long as it has members.
import type { ExecutionResult, ValidatedExecutionArgs } from "graphql";
import type { Grant } from "../../auth/grant.ts";
import type { Viewer } from "../../auth/scopes.ts";
import { shareCost } from "../../auth/sharedPayment.ts";
import type { CursorView } from "../../events/cursorView.ts";
import type { EventLog, FollowRequest } from "../../events/eventLog.ts";
import type { Logger } from "../../logger.ts";
import { createQueryOwner, createRefusedOwner, type QueryOwnerOf } from "../../store/scheduling/queryOwner.ts";
import { createRequester, type RequestAllowance, type Requester } from "../../upstream/requester.ts";
import { withoutLogContext } from "../../util/logContext.ts";
import type { MaybePromise } from "../../util/maybePromise.ts";
import { createErrorPublisher, type PublishError } from "../publishError.ts";
import type { StartDelivery } from "./delivery.ts";
import { shownCursorOf } from "./eventId.ts";
import { createFindSharedRequest, groupKeyOf, groupViewer, rootValueOf, type SharedRequest } from "./groupKey.ts";
import { createSharedGroup, type Member, type SendResults, type SharedGroup } from "./sharedGroup.ts";
import type { SubscriptionObserver } from "./subscriptionObserver.ts";
import type { GroupHandoff, SubscriberCount } from "./subscription.ts";

export interface GroupRegistry {
  /** Returns null if the subscription cannot be shared. */
  handoffFor(subscriber: Subscriber): GroupHandoff | null;
}

export interface Subscriber {
  operation: ValidatedExecutionArgs;
  /** For each event. */
  allowance: RequestAllowance;
  /** Rows of the database that each event reads at worst. */
  rows: number;
  grant: Grant;
  send: SendResults;
}

/** The execution of one event for all members of a group. Its errors are public, under one request ID. */
export interface SharedExecution {
  operation: ValidatedExecutionArgs;
  rootValue: unknown;
  viewer: Viewer;
  requester: Requester;
  queryOwnerOf: QueryOwnerOf;
  publish: PublishError;
}

export interface GroupRegistryDeps {
  follow: EventLog["follow"];
  execute: (execution: SharedExecution) => MaybePromise<ExecutionResult>;
  /** How a viewer sees the cursors of the log. */
  cursorsOf: (viewer: Pick<Viewer, "access">) => CursorView;
  /** Charges the viewer for a request to the service. Throws RATE_LIMITED. */
  chargeRequest: (viewer: Viewer, signal: AbortSignal) => void | Promise<void>;
  /** Charges the viewer for rows that are about to be read. Throws RATE_LIMITED. */
  chargeRows: (viewer: Viewer, rows: number) => Promise<void>;
  groupCount: Pick<SubscriberCount, "enter">;
  startDelivery: StartDelivery;
  observer?: Pick<SubscriptionObserver, "delivered"> | undefined;
  log: Logger;
}

/** What a group takes from its first member. */
interface NewGroup extends Pick<Subscriber, "operation" | "allowance" | "rows"> {
  key: string;
  shared: SharedRequest;
  viewer: Viewer;
  request: FollowRequest;
  startCursor: string;
}

const MEMBERS_PER_TURN = 200;
/** The name of a query owner that reads nothing. */
const NO_NAME = "";

export function createGroupRegistry(deps: GroupRegistryDeps): GroupRegistry {
  const { follow, execute, cursorsOf, chargeRequest, chargeRows, groupCount, startDelivery, observer, log } = deps;
  const groups = new Map<string, SharedGroup>();
  const findSharedRequest = createFindSharedRequest();

  function createGroup(given: NewGroup): SharedGroup {
    const { key, shared, operation, allowance, rows, request, startCursor } = given;
    const controller = new AbortController();
    const { signal } = controller;
    const uncount = groupCount.enter();
    const publish = createErrorPublisher(log);
    const viewer = groupViewer(shared, given.viewer);
    const cursors = cursorsOf(viewer);
    const group = createSharedGroup({
      startCursor,
      follow: (after) => follow({ ...request, after }),
      async payloadOf(item) {
        const rootValue = rootValueOf(shared, item);
        if (rootValue === undefined) return null;
        const payRateLimit = () => shareCost(group.members, (payer) => chargeRequest(payer, signal));
        const requester = createRequester({ signal, allowance, payRateLimit });
        const queryOwnerOf = await chargedQueryOwner(group.members, rows);
        const delivery = startDelivery(rootValue);
        const execution = { operation, rootValue, viewer, requester, queryOwnerOf, publish };
        const json = jsonOf(await delivery.run(() => execute(execution)));
        return { cursor: shownCursorOf(item, cursors), json, onSent: delivery.end };
      },
      membersPerTurn: MEMBERS_PER_TURN,
      onEnd() {
        groups.delete(key);
        uncount();
        controller.abort();
      },
      observer,
      log,
    });
    groups.set(key, group);
    return group;
  }

  /** Reads in the turn of the member who is charged. If none can be charged, the fields that read rows fail. */
  async function chargedQueryOwner(members: Set<Member>, rows: number): Promise<QueryOwnerOf> {
    let name = NO_NAME;
    try {
      if (rows > 0) {
        await shareCost(members, async (payer) => {
          await chargeRows(payer, rows);
          ({ name } = payer);
        });
      }
    } catch (refusal) {
      return () => createRefusedOwner(name, refusal as Error);
    }
    return (signal) => createQueryOwner(name, signal);
  }

  return {
    handoffFor({ operation, allowance, rows, grant, send }) {
      const shared = findSharedRequest(operation);
      if (!shared) return null;
      return {
        send,
        groupAt(startCursor, request) {
          const viewer = grant.viewer();
          if (!viewer) return null;
          const key = groupKeyOf(shared, viewer);
          const group = { key, shared, operation, allowance, rows, viewer, request, startCursor };
          return groups.get(key) ?? withoutLogContext(() => createGroup(group));
        },
      };
    },
  };
}

function jsonOf({ errors, ...rest }: ExecutionResult): Buffer {
  return Buffer.from(JSON.stringify(errors ? { ...rest, errors } : rest));
}
