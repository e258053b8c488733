// Which agents used which tools. It shows nothing until one did: most gateways have no agents.
import { useQuery } from "../../data/useQuery.ts";
import { useEvery } from "../../data/useEvery.ts";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { useNow } from "../../locale/useNow.ts";
import { useOld } from "../../state/StateProvider.tsx";
import { agentUsesDocument } from "./documents.ts";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./health.module.css";

const NO_VARIABLES = {};
const EVERY_MS = 10_000;

export function AgentUses() {
  const t = useTexts({ en, zh });
  const { format } = useLocale();
  const { data, error, refetch } = useQuery(agentUsesDocument, NO_VARIABLES);
  useEvery(EVERY_MS, refetch);
  const isOld = useOld(error);
  const now = useNow(1000);
  const uses = data?.gateway?.agentUses ?? [];
  if (uses.length === 0) return null;
  return (
    <section className={styles["section"]} aria-labelledby="agents">
      <div className={styles["sectionHead"]}>
        <h2 id="agents">{t.agents}</h2>
        <p className={styles["hint"]}>{t.agentsHint}</p>
      </div>
      <ul className={styles["agents"]} data-old={isOld}>
        {uses.map(({ viewer, client, tool, calls, failed, lastAt }) => (
          <li key={JSON.stringify([viewer, client, tool])}>
            <span>{client === null ? viewer : t.agentClient(viewer, client)}</span>
            <code>{tool}</code>
            <span>{t.agentCalls(format.number(calls))}</span>
            {failed > 0 && <span>{t.agentFailed(format.number(failed))}</span>}
            <time dateTime={lastAt} title={format.exact(lastAt)}>
              {format.ago(lastAt, now)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}
