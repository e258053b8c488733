// For an administrator of a gateway without earlier calls: where they can be imported.
import { Link } from "@tanstack/react-router";
import { useQuery } from "../../data/useQuery.ts";
import { useLocale } from "../../locale/Locale.tsx";
import { useSession } from "../../session/SessionProvider.tsx";
import { historyHintDocument } from "./documents.ts";

const NO_VARIABLES = {};

export function HistoryHint() {
  const { t } = useLocale();
  const { holds } = useSession();
  const { data } = useQuery(historyHintDocument, holds("admin") ? NO_VARIABLES : null);
  if (!data?.gateway?.lacksHistory) return null;
  return (
    <>
      {" "}
      <Link to="/status">{t.live.importEarlier}</Link>
    </>
  );
}
