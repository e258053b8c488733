// Sends a test webhook from this browser to the address of webhooks beside this page, and says what became of it.
import { useState } from "react";
import type { SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";
import { sendWebhookTest, type WebhookTestResult } from "../../../../../src/webhook/sendWebhookTest.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { Button } from "../../../ui/Button.tsx";
import { errorText } from "../../../ui/ErrorBar.tsx";
import { createWebhookTestDocument } from "./documents.ts";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import health from "../health.module.css";
import styles from "./webhookTest.module.css";

const COMMAND = "switchboard doctor --webhook --address https://…";
/** `result`: or the code of the error for which no test was made. */
type State = { is: "idle" | "sending" } | { is: "done"; address: string; result: WebhookTestResult | string };

export function WebhookTest() {
  const t = useTexts({ en, zh });
  const client = useSwitchboard();
  const [state, setState] = useState<State>({ is: "idle" });

  async function send(): Promise<void> {
    setState({ is: "sending" });
    try {
      const { createWebhookTest: test } = await client.mutate(createWebhookTestDocument, {});
      const address = location.origin + test.path;
      setState({ is: "done", address, result: await sendWebhookTest(address, test) });
    } catch (error) {
      setState({ is: "done", address: "", result: (error as SwitchboardError).code });
    }
  }
  return (
    <section className={health["section"]} aria-labelledby="webhook-test">
      <div className={health["sectionHead"]}>
        <h2 id="webhook-test">{t.title}</h2>
        <p className={health["hint"]}>{t.hint}</p>
      </div>
      <div className={styles["lines"]}>
        <Button onClick={() => void send()} disabled={state.is === "sending"}>
          {state.is === "sending" ? t.sending : t.send}
        </Button>
        {state.is === "done" && <Result {...state} />}
        <p className={health["hint"]}>{t.elsewhere(COMMAND)}</p>
      </div>
    </section>
  );
}

function Result({ address, result }: { address: string; result: WebhookTestResult | string }) {
  const t = useTexts({ en, zh });
  const { t: shared, format } = useLocale();
  if (typeof result === "string")
    return (
      <p role="alert">
        {t.failed} {errorText(shared, result)}
      </p>
    );
  const { outcome, status, ms } = result;
  if (outcome === "ARRIVED")
    return (
      <p role="status" data-tone="good" className={styles["result"]}>
        {t.arrived(address, format.number(ms))}
      </p>
    );
  return (
    <p role="alert" data-tone="bad" className={styles["result"]}>
      {t.lost(address)} {t.advice[outcome]} {status !== null && t.status(String(status))}
    </p>
  );
}
