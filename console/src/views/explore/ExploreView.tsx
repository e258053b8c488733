// GraphiQL in the frame of the console. It is a page of the same origin, and reads the key that this tab keeps.
import { ExternalLink } from "lucide-react";
import { View } from "../../frame/View.tsx";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { ErrorBar } from "../../ui/ErrorBar.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import { useExplorable } from "./useExplorable.ts";
import styles from "./explore.module.css";

const GRAPHIQL = "/graphql";

export function ExploreView() {
  const { t: shared, preferences } = useLocale();
  const t = useTexts({ en, zh });
  const { explorable, ask } = useExplorable();
  const link = (
    <a href={GRAPHIQL} className={styles["link"]}>
      <ExternalLink size={14} aria-hidden="true" />
      {t.open}
    </a>
  );
  return (
    <View title={shared.frame.explore} actions={explorable === "yes" && link}>
      {explorable === "asking" && <Skeleton rows={8} />}
      {explorable === "yes" && (
        <iframe key={preferences.theme} src={GRAPHIQL} title={t.frame} className={styles["graphiql"]} />
      )}
      {explorable === "introspectionOff" && <Notice title={t.introspectionOff}>{t.introspectionOffHint}</Notice>}
      {explorable === "trustedOnly" && <Notice title={t.trustedOnly}>{t.trustedOnlyHint}</Notice>}
      {typeof explorable === "object" && <ErrorBar code={explorable.failed} what={t.failed} onRetry={ask} />}
    </View>
  );
}
