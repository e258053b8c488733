// The context of a viewer with `access`. Its members answer with the viewer's own rows only, so resolvers need no checks of their
// own. Every member of Context is named here: one that shows rows without obeying `access` is refused.
import type { ViewerAccess } from "../../auth/viewerPolicy.ts";
import { CodedError } from "../../errors.ts";
import { canonicalJson } from "../../util/canonicalJson.ts";
import type { Context, Services, SubscriptionSource } from "../context.ts";
import { restrictKnownLoaders, restrictLoaders } from "./restrictLoaders.ts";
import { createRowAccess, type RowAccess } from "./rowAccess.ts";
import { ownItems, ownTask } from "./ownItems.ts";

function refuse(): never {
  throw new CodedError("FORBIDDEN", "The field is not for viewers with access to some rows only.");
}

/** Null: everything. */
export function restrictContext(context: Context, viewerAccess: ViewerAccess | null): Context {
  if (!viewerAccess) return context;
  const access = createRowAccess(viewerAccess);
  const name = canonicalJson(viewerAccess);
  const { signer, queuedRead, recordings, knownTasks, assistants, taskProgress } = context;
  return {
    viewer: context.viewer,
    source: restrictSource(context.source, access),
    loaders: restrictLoaders(context.loaders, access),
    known: restrictKnownLoaders(context.known, access),
    queryOwner: context.queryOwner,
    releaseInput: context.releaseInput,
    events: restrictEvents(context.events, access),
    stats: restrictStats(context.stats, access),
    recordings: {
      address: recordings.address,
      counts: refuse,
      followSettled: () =>
        ownItems(recordings.followSettled(), async ({ sessionId }) => {
          const event = await context.events.bySession(sessionId);
          return event !== null && access.seesCall(event);
        }),
    },
    knownTasks: {
      // The database does not know the assistants of tasks.
      page: (after, limit) => (access.assistantIds ? refuse() : knownTasks.page(after, limit, access.taskIds)),
    },
    assistants: {
      latest: async (assistantId) => (access.seesAssistant(assistantId) ? assistants.latest(assistantId) : null),
      list: refuse,
    },
    taskProgress: (taskId, viewer) => ownTask(taskProgress(taskId, viewer), taskId, access),
    // Cursors of lists are valid for viewers with equal access only.
    signer: {
      sign: (purpose, payload) => signer.sign(`${purpose} ${name}`, payload),
      verify: (purpose, signed) => signer.verify(`${purpose} ${name}`, signed),
      digest: signer.digest,
    },
    // Equal reads of several viewers may be run once.
    queuedRead: (owner, key, query) => queuedRead(owner, [name, ...key], query),
    // The viewer's own use of its limits.
    taskLimits: context.taskLimits,
    slices: context.slices,
    serviceTimeZone: context.serviceTimeZone,
    clock: context.clock,
    get quarantine() {
      return refuse();
    },
    get reprocess() {
      return refuse();
    },
    get audit() {
      return refuse();
    },
    get forgetPhone() {
      return refuse();
    },
    get gateway() {
      return refuse();
    },
    get submitTask() {
      return refuse();
    },
    get checkTask() {
      return refuse();
    },
    get lines() {
      return refuse();
    },
    get named() {
      return refuse();
    },
    get submissions() {
      return refuse();
    },
    get doNotCall() {
      return refuse();
    },
  };
}

/** A shared group of subscribers follows the log as the source is told. */
function restrictSource(source: SubscriptionSource, access: RowAccess): SubscriptionSource {
  const { onHead } = source;
  if (!onHead) return source;
  return {
    ...source,
    onHead: (cursor, request) => onHead(cursor, { ...request, filter: access.ofEvents(request.filter) }),
  };
}

function restrictEvents(events: Services["events"], access: RowAccess): Services["events"] {
  const own = <Event extends Parameters<RowAccess["seesCall"]>[0]>(event: Event | null) =>
    event && access.seesCall(event) ? event : null;
  return {
    page: (request) => events.page({ ...request, filter: access.ofEvents(request.filter) }),
    follow: (request, onHead) => events.follow({ ...request, filter: access.ofEvents(request.filter) }, onHead),
    bySession: async (sessionId) => own(await events.bySession(sessionId)),
    byRevision: async (sessionId, revision) => own(await events.byRevision(sessionId, revision)),
    checkRetained: events.checkRetained,
  };
}

function restrictStats(stats: Services["stats"], access: RowAccess): Services["stats"] {
  const { ofEvents } = access;
  return {
    totals: (owner, filter) => stats.totals(owner, ofEvents(filter)),
    numbers: (owner, filter) => stats.numbers(owner, ofEvents(filter)),
    byHangupReason: (owner, filter, first) => stats.byHangupReason(owner, ofEvents(filter), first),
    byHangupSide: (owner, filter) => stats.byHangupSide(owner, ofEvents(filter)),
    byTask: (owner, filter, first) => stats.byTask(owner, ofEvents(filter), first),
    byAssistant: (owner, filter, first) => stats.byAssistant(owner, ofEvents(filter), first),
    byTime: (owner, filter, slot, limit) => stats.byTime(owner, ofEvents(filter), slot, limit),
    entries: refuse,
  };
}
