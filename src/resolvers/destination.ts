// Destinations (destinations/).
import type {
  DestinationLetter,
  DestinationService,
  DestinationStatus,
  ReplayPlace,
} from "../destinations/destinationService.ts";
import type { DestinationState } from "../store/destinations/destinationStore.ts";
import type { Answer } from "../store/destinations/lastAnswer.ts";
import type { Context } from "./context.ts";
import { badInput, checkFirst } from "./inputRules.ts";

const unknownName = () => badInput("name must be the name of a destination in DESTINATIONS_FILE.");

export async function changeDestination(
  name: string,
  to: Parameters<DestinationService["change"]>[1],
  { destinations, viewer }: Context,
): Promise<DestinationStatus> {
  const changed = await destinations.change(name, to, viewer.name);
  if (!changed) throw unknownName();
  return changed;
}

export function replayPlace(after: string | null | undefined, since: string | null | undefined): ReplayPlace | null {
  if (after != null && since != null) throw badInput("after and since exclude each other.");
  if (after != null) return { after };
  return since == null ? null : { since };
}

export async function destinationLetters(
  { name, first, after }: { name: string; first: number; after?: string | null | undefined },
  { destinations, queryOwner, queuedRead }: Context,
): Promise<DestinationLetter[]> {
  checkFirst(first);
  const page = { first, after: after ?? null };
  const letters = await queuedRead(queryOwner, ["letters", name, page], () => destinations.letters(name, page));
  if (!letters) throw unknownName();
  return letters;
}

export async function sendLetter(name: string, cursor: string, { destinations }: Context): Promise<boolean> {
  const isSent = await destinations.sendAgain(name, cursor);
  if (isSent === null) throw unknownName();
  return isSent;
}

export async function testDestination(name: string, { destinations }: Context): Promise<Answer> {
  const answer = await destinations.test(name);
  if (!answer) throw unknownName();
  return answer;
}

/** Null: no attempt is to come, or its time is not known. */
export function secondsToNext(
  state: Pick<DestinationState, "failures" | "state" | "waitMs"> | null,
  getsCalls: boolean,
): number | null {
  if (!state || state.failures === 0 || state.state !== "ACTIVE") return null;
  return !getsCalls && state.waitMs === 0 ? null : state.waitMs / 1000;
}

/** Secrets of receivers are often in the query. The whole path of a chat is one. */
export const addressOf = ({ definition: { url }, getsCalls }: DestinationStatus): string =>
  getsCalls ? url.replace(/[?#].*$/s, "") : `${URL.parse(url)?.origin ?? ""}/…`;
