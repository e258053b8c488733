// The context of a viewer with `access`. Its members answer with the viewer's own rows only, so resolvers need no checks of their
// own. Every member of Context is named here: one that shows rows without obeying `access` is refused.
import { maySubmit, type ViewerAccess } from "../../auth/viewerPolicy.ts";
import type { Context } from "../context.ts";
import { visibleItems, ownTask } from "./visibleItems.ts";
import { createOwnSessions } from "./ownSessions.ts";
import { notByLookUp, refuse } from "./accessRefusals.ts";
import { restrictAlerts } from "./restrictAlerts.ts";
import { restrictEvents, restrictSource, restrictStats } from "./restrictEvents.ts";
import { restrictKnownLoaders, restrictLoaders } from "./restrictLoaders.ts";
import { restrictSubmissions } from "./restrictSubmissions.ts";
import { restrictRecipients } from "./restrictRecipients.ts";
import { createRowAccess } from "./rowAccess.ts";

/** Null: everything. */
export function restrictContext(context: Context, viewerAccess: ViewerAccess | null): Context {
  if (!viewerAccess) return context;
  const { signer, queuedRead, recordings, knownTasks, assistants, taskProgress, submittedTasks } = context;
  const loadTask = (taskId: string) => context.loaders.task.load(taskId);
  // A shared execution has a viewer without a name: it is read only where access depends on it.
  const access = createRowAccess(viewerAccess, { viewer: context.viewer, submittedTasks, loadTask });
  const { name } = access;
  const sessions = createOwnSessions(access);
  const submits = maySubmit(viewerAccess);
  return {
    viewer: context.viewer,
    source: restrictSource(context.source, access),
    loaders: restrictLoaders(context.loaders, access, sessions),
    known: restrictKnownLoaders(context.known, access, sessions),
    queryOwner: context.queryOwner,
    events: restrictEvents(context, access, sessions),
    stats: restrictStats(context.stats, access),
    recordings: {
      address: recordings.address,
      counts: refuse,
      async followSettled() {
        if (!access.findsCalls) throw notByLookUp();
        return visibleItems(await recordings.followSettled(), async ({ sessionId }) => {
          // From the cache: a thousand subscribers ask for the same event at the same time.
          const [event = null] = await context.known.newestEvents([sessionId]);
          if (event instanceof Error) throw event;
          return access.seesCall(event);
        });
      },
    },
    knownTasks: {
      page: (after, limit) => knownTasks.page(after, limit, access.ofTasks ?? refuse()),
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
      deriveKey: signer.deriveKey,
    },
    cursors: context.hiddenCursors,
    hiddenCursors: context.hiddenCursors,
    // Equal reads of several viewers may be run once.
    queuedRead: (owner, key, query) => queuedRead(owner, [name, ...key], query),
    // The viewer's own use of its limits.
    taskLimits: context.taskLimits,
    describeSchedule: context.describeSchedule,
    slices: context.slices,
    serviceTimeZone: context.serviceTimeZone,
    clock: context.clock,
    get recipients() {
      return restrictRecipients(context.recipients, access, sessions);
    },
    get projections() {
      return refuse();
    },
    get quarantine() {
      return refuse();
    },
    get eventNames() {
      return refuse();
    },
    get reprocess() {
      return refuse();
    },
    get rawDeliveries() {
      return refuse();
    },
    get audit() {
      return refuse();
    },
    get forgetPhone() {
      return refuse();
    },
    get historyImports() {
      return refuse();
    },
    get destinations() {
      return refuse();
    },
    get alerts() {
      return restrictAlerts(context.alerts, access, viewerAccess);
    },
    get gateway() {
      return refuse();
    },
    get submitTask() {
      return submits ? context.submitTask : refuse();
    },
    get proposeTask() {
      return submits ? context.proposeTask : refuse();
    },
    get approveTask() {
      return refuse();
    },
    get declineTask() {
      return refuse();
    },
    get checkTask() {
      return submits ? context.checkTask : refuse();
    },
    get submissions() {
      return submits ? restrictSubmissions(context) : refuse();
    },
    get submittedTasks() {
      return refuse();
    },
    get lines() {
      return refuse();
    },
    get named() {
      return refuse();
    },
    get doNotCall() {
      return refuse();
    },
  };
}
