// Earlier calls: what an import of them has added, how far the running one is, and its start and end.
import { useState } from "react";
import type { SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";
import { useEvery } from "../../../data/useEvery.ts";
import { useQuery } from "../../../data/useQuery.ts";
import type { ConsoleHistoryImportQuery } from "../../../gql/graphql.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { Button } from "../../../ui/Button.tsx";
import { ErrorBar, errorText } from "../../../ui/ErrorBar.tsx";
import { cancelImportDocument, historyImportDocument, importHistoryDocument } from "./documents.ts";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import health from "../health.module.css";
import styles from "./import.module.css";

const NO_VARIABLES = {};
const EVERY_MS = 2000;
const DAY_MS = 86_400_000;
const DAYS = [7, 30, 90, 365];

type Import = NonNullable<ConsoleHistoryImportQuery["historyImport"]>;

export function ImportHistory() {
  const t = useTexts({ en, zh });
  const { t: shared, format } = useLocale();
  const client = useSwitchboard();
  const { data, error, failedSince, retryAt, answeredAt, refetch } = useQuery(historyImportDocument, NO_VARIABLES);
  useEvery(EVERY_MS, refetch);
  const [days, setDays] = useState(90);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const own = data?.historyImport;

  async function run(action: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setFailure(
      await action().then(
        () => null,
        ({ code }: SwitchboardError) => code,
      ),
    );
    setBusy(false);
    refetch();
  }
  const start = () => {
    const since = new Date(Date.now() - days * DAY_MS).toISOString();
    return run(() => client.mutate(importHistoryDocument, { since }));
  };
  return (
    <section className={health["section"]} aria-labelledby="import">
      <div className={health["sectionHead"]}>
        <h2 id="import">{t.title}</h2>
        <p className={health["hint"]}>{data?.gateway?.lacksHistory ? t.suggestion : t.hint}</p>
      </div>
      {error && (
        <ErrorBar
          code={error.code}
          what={t.failed}
          since={failedSince}
          retryAt={retryAt}
          asOf={answeredAt}
          onRetry={refetch}
        />
      )}
      {own && <Progress own={own} />}
      {data && own?.state !== "RUNNING" && (
        <p className={styles["line"]}>
          <select aria-label={t.since} value={days} onChange={({ target }) => setDays(Number(target.value))}>
            {DAYS.map((each) => (
              <option key={each} value={each}>
                {t.lastDays(format.number(each))}
              </option>
            ))}
          </select>
          <Button onClick={() => void start()} disabled={isBusy}>
            {t.start}
          </Button>
        </p>
      )}
      {own?.state === "RUNNING" && (
        <p className={styles["line"]}>
          <Button onClick={() => void run(() => client.mutate(cancelImportDocument, NO_VARIABLES))} disabled={isBusy}>
            {t.cancel}
          </Button>
        </p>
      )}
      {failure !== null && (
        <p className={styles["line"]} role="alert">
          {errorText(shared, failure)}
        </p>
      )}
    </section>
  );
}

function Progress({ own }: { own: Import }) {
  const t = useTexts({ en, zh });
  const { format } = useLocale();
  const { state, progress, calls, windows, secondsLeft, problem, tooOld, leftOut } = own;
  const isRunning = state === "RUNNING";
  const left = [
    ...(tooOld ? [t.tooOld(format.number(tooOld))] : []),
    ...(leftOut > 0 ? [t.leftOut(format.number(leftOut))] : []),
  ];
  return (
    <div className={styles["progress"]}>
      {isRunning && <progress aria-label={t.progress} value={progress} max={1} />}
      <p role={isRunning ? undefined : "status"}>
        <strong>{isRunning ? format.percent(progress) : t.states[state]}</strong> {t.calls(format.number(calls))}
        {isRunning && ` · ${t.windows(format.number(windows))}`}
        {secondsLeft !== null && ` · ${t.left(format.duration(secondsLeft * 1000))}`}
      </p>
      {left.length > 0 && <p className={health["hint"]}>{left.join(" · ")}</p>}
      {problem !== null && (
        <p role="alert">
          {isRunning ? t.waits : t.reason}: {problem}
        </p>
      )}
    </div>
  );
}
