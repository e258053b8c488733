// Shows any viewer of calls whether the calling service answers.
import { CircleCheck, CircleX, LoaderCircle } from "lucide-react";
import { useEvery } from "../../data/useEvery.ts";
import { useQuery } from "../../data/useQuery.ts";
import { useTexts } from "../../locale/Locale.tsx";
import { useSession } from "../../session/SessionProvider.tsx";
import { ErrorBar } from "../../ui/ErrorBar.tsx";
import { serviceDocument } from "../../state/documents.ts";
import { Fact } from "./Fact.tsx";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./health.module.css";

const NO_VARIABLES = {};
const EVERY_MS = 30_000;

export function ServiceAnswers() {
  const t = useTexts({ en, zh });
  const { holds } = useSession();
  const mayAsk = holds("calls:read");
  const { data, error, failedSince, retryAt, refetch } = useQuery(serviceDocument, mayAsk ? NO_VARIABLES : null);
  useEvery(EVERY_MS, refetch);
  if (!mayAsk) return <p className={styles["hint"]}>{t.needsCalls}</p>;
  return (
    <>
      {error && <ErrorBar code={error.code} since={failedSince} retryAt={retryAt} onRetry={refetch} />}
      <dl className={styles["facts"]}>
        {error ? (
          <Fact name={t.service} state="bad" value={<Sign icon={CircleX} word={t.unreachable} />}>
            {t.unreachableHint}
          </Fact>
        ) : data ? (
          <Fact name={t.service} state="good" value={<Sign icon={CircleCheck} word={t.reachable} />}>
            {t.reachableHint}
          </Fact>
        ) : (
          <Fact name={t.service} value={<Sign icon={LoaderCircle} word={t.asking} />} />
        )}
      </dl>
    </>
  );
}

export function Sign({ icon: Icon, word }: { icon: typeof CircleX; word: string }) {
  return (
    <>
      <Icon size={18} aria-hidden="true" />
      <span>{word}</span>
    </>
  );
}
