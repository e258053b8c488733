// What the log wrote about this call, one entry after the other.
import { useMemo } from "react";
import { useQuery } from "../data/useQuery.ts";
import { useCallTexts } from "./callTexts.ts";
import { useLocale } from "../locale/Locale.tsx";
import { Fact, Section } from "../ui/drawer/Facts.tsx";
import { revisionsDocument } from "./documents.ts";
import type { CallEvent } from "./useCall.ts";

/** A later webhook may tell another end of the call. */
const AROUND_MS = 5000;

export function Revisions({ event }: { event: CallEvent }) {
  const own = useCallTexts();
  const { t, format } = useLocale();
  const { endAt, receivedAt, taskId, sessionId } = event;
  const variables = useMemo(() => {
    const at = Date.parse(endAt ?? receivedAt);
    const since = new Date(at - AROUND_MS).toISOString();
    const until = new Date(at + AROUND_MS).toISOString();
    return { filter: { since, until, ...(taskId === null ? {} : { taskIds: [taskId] }) } };
  }, [endAt, receivedAt, taskId]);
  const { data } = useQuery(revisionsDocument, variables);
  const found = (data?.callEndedEvents?.nodes ?? []).filter((entry) => entry.sessionId === sessionId);
  const told = { WEBHOOK: own.webhook, RECONCILED: t.call.reconciled, IMPORTED: t.call.imported };
  const shown = found.length > 0 ? found : [event];
  return (
    <Section title={own.revisions}>
      {shown.map(({ revision, source, receivedAt }) => (
        <Fact key={revision} name={own.revision(format.number(revision))}>
          {told[source]}, {format.exact(receivedAt)}
        </Fact>
      ))}
    </Section>
  );
}
