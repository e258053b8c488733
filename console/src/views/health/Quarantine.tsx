// Deliveries that could not be read, or events that do not end a call, a page at a time, the newest first.
import { useMemo, useState } from "react";
import { useQuery } from "../../data/useQuery.ts";
import type { QuarantineKind } from "../../gql/graphql.ts";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { useOld } from "../../state/StateProvider.tsx";
import { ErrorBar } from "../../ui/ErrorBar.tsx";
import { Pages } from "../../ui/pages/Pages.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { quarantineDocument } from "./documents.ts";
import { QuarantinedDelivery } from "./QuarantinedDelivery.tsx";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./health.module.css";

const KINDS: readonly QuarantineKind[] = ["UNREADABLE", "NOT_ENDED"];

export function Quarantine() {
  const t = useTexts({ en, zh });
  const { format } = useLocale();
  const [kind, setKind] = useState<QuarantineKind>("UNREADABLE");
  const [after, setAfter] = useState<string | null>(null);
  const variables = useMemo(() => ({ after, kind }), [after, kind]);
  const { data, error, failedSince, retryAt, answeredAt, refetch } = useQuery(quarantineDocument, variables);
  const isOld = useOld(error);
  const page = data?.quarantinedDeliveries;
  const deliveries = page?.nodes ?? [];
  const isLong = after !== null || page?.pageInfo.hasNextPage === true;
  return (
    <section className={styles["section"]} aria-labelledby="quarantine">
      <div className={styles["sectionHead"]}>
        <h2 id="quarantine">{t.quarantine}</h2>
        <p className={styles["hint"]}>{t.quarantineHints[kind]}</p>
        <select
          aria-label={t.quarantineKind}
          value={kind}
          onChange={({ target }) => {
            setKind(target.value as QuarantineKind);
            setAfter(null);
          }}
        >
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {t.quarantineKinds[each]}
            </option>
          ))}
        </select>
        {deliveries.length > 0 && !isLong && <span>{t.quarantineCount(format.number(deliveries.length))}</span>}
      </div>
      {error && (
        <ErrorBar
          code={error.code}
          what={t.quarantineFailed}
          since={failedSince}
          retryAt={retryAt}
          asOf={answeredAt}
          onRetry={refetch}
        />
      )}
      {!page && !error && <Skeleton rows={3} />}
      {page && deliveries.length === 0 && !error && (
        <p className={styles["empty"]}>
          <strong>{t.quarantineEmpty[kind]}</strong> {t.quarantineEmptyHints[kind]}
        </p>
      )}
      {deliveries.length > 0 && (
        <ul className={styles["deliveries"]} data-old={isOld}>
          {deliveries.map((delivery) => (
            <QuarantinedDelivery key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      <div className={styles["pages"]}>
        <Pages page={page} after={after} onTurn={setAfter} />
      </div>
    </section>
  );
}
