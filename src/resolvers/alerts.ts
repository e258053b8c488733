// Alerts (alerts/): Query.alerts, Mutation.acknowledgeAlert, Subscription.alertRaised and Task.alerts.
import { alertText, type AlertLanguage } from "../alerts/alertText.ts";
import type { AlertRule } from "../alerts/alertFile.ts";
import { CodedError } from "../errors.ts";
import { instantOf } from "../format/instant.ts";
import type { Alert, AlertFilter } from "../store/alerts/alertRows.ts";
import { maskText } from "../privacy/maskPhone.ts";
import type { TaskRecord } from "../upstream/upstream.ts";
import { mapItems } from "../util/iterators.ts";
import type { Context } from "./context.ts";
import { badInput, checkFirst, checkUpstreamIds } from "./inputRules.ts";
import { readNodeId } from "./nodeId.ts";
import { foreignCursor, pageInfo, type Edge, type PageInfo, type Paging } from "./pageInfo.ts";

export interface AlertConnection {
  edges: Edge<Alert>[];
  pageInfo: PageInfo;
}

export interface GivenAlertFilter {
  open?: boolean | null | undefined;
  taskIds?: string[] | null | undefined;
  assistantIds?: string[] | null | undefined;
}

const CURSOR = "alerts";

const OF_DESTINATIONS: AlertRule["kind"] = "destinationFails";
/** Alerts about destinations are for those who may see destinations. */
const seesDestinations = ({ viewer }: Pick<Context, "viewer">): boolean => viewer.scopes.has("admin");
const sees = (context: Pick<Context, "viewer">, { kind }: Alert): boolean =>
  kind !== OF_DESTINATIONS || seesDestinations(context);

/** The newest comes first. */
export async function alerts(
  { first, after, filter: given }: Paging & { filter?: GivenAlertFilter | null | undefined },
  context: Context,
): Promise<AlertConnection> {
  checkFirst(first);
  const { alerts: service, signer, queryOwner, queuedRead } = context;
  const filter = { ...filterOf(given ?? {}), ...(!seesDestinations(context) && { butKind: OF_DESTINATIONS }) };
  const page = { after: after == null ? null : placeOf(signer.verify(CURSOR, after)), limit: first + 1 };
  const found = await queuedRead(queryOwner, ["alerts", filter, page], () => service.page(filter, page));
  const edges = found.slice(0, first).map((node) => ({ node, cursor: signer.sign(CURSOR, String(node.id)) }));
  return { edges, pageInfo: pageInfo(edges, { hasNextPage: found.length > first, hasPreviousPage: after != null }) };
}

function filterOf({ open, taskIds, assistantIds }: GivenAlertFilter): AlertFilter {
  checkUpstreamIds("taskIds", taskIds ?? []);
  checkUpstreamIds("assistantIds", assistantIds ?? []);
  return { ...(open != null && { open }), ...(taskIds && { taskIds }), ...(assistantIds && { assistantIds }) };
}

function placeOf(text: string | null): number {
  if (text === null) throw foreignCursor();
  return Number(text);
}

/** By the key in its node id. */
export async function alertByKey(key: string, context: Context): Promise<Alert | null> {
  const id = idOf(key);
  if (id === null) return null;
  const { alerts: service, queryOwner, queuedRead } = context;
  const alert = await queuedRead(queryOwner, ["alert", id], () => service.byId(id));
  return alert && sees(context, alert) ? alert : null;
}

const idOf = (key: string) => (/^[1-9]\d{0,14}$/.test(key) ? Number(key) : null);

function keyOf(argument: string, given: string): number {
  const { type, key: [key = ""] = [] } = readNodeId(given) ?? {};
  const id = type === "Alert" ? idOf(key) : null;
  if (id === null) throw badInput(`${argument} must be the id of an Alert.`);
  return id;
}

export async function acknowledgeAlert(given: string, context: Context): Promise<Alert | null> {
  const { alerts: service, viewer, clock } = context;
  const id = keyOf("id", given);
  if (await isHidden(id, context)) return null;
  return service.acknowledge(id, { actor: viewer.name, at: instantOf(clock()) });
}

async function isHidden(id: number, context: Context): Promise<boolean> {
  if (seesDestinations(context)) return false;
  const alert = await context.alerts.byId(id);
  return alert !== null && !sees(context, alert);
}

const PLACE = "place of alerts";

/**
 * `after`: the id of the last alert that the client has, or the cursor of the error. Ends with CURSOR_EXPIRED where some that came after it are no longer
 * kept; its cursor is the place after which new ones follow.
 */
export async function followRaised(
  { after }: { after?: string | null | undefined },
  context: Context,
): Promise<AsyncIterableIterator<Alert>> {
  const { alerts: service, signer } = context;
  async function expired(): Promise<never> {
    const cursor = signer.sign(PLACE, String(await service.head()));
    throw new CodedError("CURSOR_EXPIRED", "Alerts that were raised after this one are no longer kept.", { cursor });
  }
  const place = after == null ? null : signer.verify(PLACE, after);
  const begin = after == null ? null : place === null ? { alert: keyOf("after", after) } : { place: Number(place) };
  // As one that does not exist.
  const isRefused = begin !== null && "alert" in begin && (await isHidden(begin.alert, context));
  const notices = (isRefused ? null : await service.follow(begin)) ?? (await expired());
  return mapItems(notices, (notice) => {
    if (notice === null) return expired();
    return notice.kind === "RAISED" && sees(context, notice.alert) ? notice.alert : undefined;
  });
}

/** Throws FORBIDDEN where the viewer has lost the scope since the subscription began. */
export function raisedAlert(alert: Alert, context: Context): Alert {
  if (sees(context, alert)) return alert;
  throw new CodedError("FORBIDDEN", "Alerts about destinations need the scope admin.");
}

/** The open alerts about a task. */
export async function openAlerts(
  { taskId }: TaskRecord,
  { first }: { first: number },
  { known }: Context,
): Promise<Alert[]> {
  checkFirst(first);
  return (await known.openAlerts.load({ taskId, first })) ?? [];
}

export const textOfAlert = (alert: Alert, language: AlertLanguage): string => alertText(alert, language, maskText);
