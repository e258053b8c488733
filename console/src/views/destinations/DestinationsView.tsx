// The systems to which ended calls are sent: how each fares, and what an admin may do with it.
import { useEvery } from "../../data/useEvery.ts";
import { useQuery } from "../../data/useQuery.ts";
import { useShortcuts } from "../../frame/useShortcuts.ts";
import { View } from "../../frame/View.tsx";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { useOld } from "../../state/StateProvider.tsx";
import { ErrorBar } from "../../ui/ErrorBar.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { DestinationSection } from "./DestinationSection.tsx";
import { destinationsDocument } from "./documents.ts";
import { texts } from "./texts/texts.ts";
import styles from "./destinations.module.css";

const NO_VARIABLES = {};
const EVERY_MS = 5000;

export function DestinationsView() {
  const t = useTexts(texts);
  const { t: shared } = useLocale();
  const query = useQuery(destinationsDocument, NO_VARIABLES);
  const { data, error, failedSince, retryAt, answeredAt, refetch } = query;
  useEvery(EVERY_MS, refetch);
  useShortcuts({ r: refetch });
  const isOld = useOld(error);
  const all = data?.destinations;
  return (
    <View title={shared.frame.destinations}>
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
      <div className={styles["page"]} data-old={isOld}>
        {!all && !error && <Skeleton rows={6} />}
        {all?.length === 0 && !error && <Notice title={t.none}>{t.noneHint}</Notice>}
        {all?.map((each) => (
          <DestinationSection key={each.name} destination={each} onChanged={refetch} />
        ))}
      </div>
    </View>
  );
}
