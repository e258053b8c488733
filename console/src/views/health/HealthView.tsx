// The state of the gateway and of the service behind it: whole for a viewer with the scope admin.
import { AlertList } from "../../alerts/AlertList.tsx";
import { View } from "../../frame/View.tsx";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { useSession } from "../../session/SessionProvider.tsx";
import { AgentUses } from "./AgentUses.tsx";
import { GatewayFacts } from "./GatewayFacts.tsx";
import { LastDay } from "./LastDay.tsx";
import { ImportHistory } from "./import/ImportHistory.tsx";
import { Quarantine } from "./Quarantine.tsx";
import { StateLines } from "./StateLines.tsx";
import { ServiceAnswers } from "./ServiceAnswers.tsx";
import { WebhookTest } from "./webhookTest/WebhookTest.tsx";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./health.module.css";

export function HealthView() {
  const { t: shared } = useLocale();
  const t = useTexts({ en, zh });
  const { holds } = useSession();
  return (
    <View title={shared.frame.health}>
      <div className={styles["page"]}>
        <AlertList />
        <StateLines />
        {holds("admin") ? (
          <>
            <WebhookTest />
            <LastDay />
            <GatewayFacts />
            <AgentUses />
            <Quarantine />
            <ImportHistory />
          </>
        ) : (
          <>
            <ServiceAnswers />
            <p className={styles["hint"]}>{t.needsAdmin}</p>
          </>
        )}
      </div>
    </View>
  );
}
