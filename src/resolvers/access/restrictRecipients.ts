// The recipients of a viewer's own tasks. A task is reached through the loader of own tasks only, and all of its calls are the viewer's then.
// That does not hold for a viewer who sees calls by their assistants: a count would tell of calls of others.
import type { RecipientService } from "../../projections/recipientService.ts";
import type { KnownLoaders } from "../context.ts";
import { refuse } from "./accessRefusals.ts";
import type { OwnSessions } from "./ownSessions.ts";
import type { RowAccess } from "./rowAccess.ts";

export function restrictRecipients(
  recipients: RecipientService,
  { seesWholeTasks }: RowAccess,
  sessions: OwnSessions,
): RecipientService {
  if (!seesWholeTasks) return refuse();
  return {
    ...recipients,
    async page(queryOwner, page) {
      const result = await recipients.page(queryOwner, page);
      for (const { lastSession } of result.found) sessions.add(lastSession);
      return result;
    },
    async callsOf(recipient, limit) {
      const sessionIds = await recipients.callsOf(recipient, limit);
      for (const sessionId of sessionIds) sessions.add(sessionId);
      return sessionIds;
    },
  };
}

/** For calls that the viewer sees. */
export function restrictRecipientLoader(
  loader: KnownLoaders["recipient"],
  { seesWholeTasks }: RowAccess,
  sessions: OwnSessions,
): KnownLoaders["recipient"] {
  return {
    async load(sessionId) {
      if (!seesWholeTasks) return refuse();
      const found = await loader.load(sessionId);
      if (found) sessions.add(found.lastSession);
      return found;
    },
  };
}
