// One destination: whether it is sent to, how far it is, its last answer, and what can be done.
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import type { ConsoleDestinationFragment } from "../../gql/graphql.ts";
import { DestinationAlerts } from "../../alerts/AlertList.tsx";
import { Time } from "../../ui/Time.tsx";
import { AnswerText } from "./AnswerText.tsx";
import { DestinationActions } from "./DestinationActions.tsx";
import { Letters } from "./Letters.tsx";
import { texts } from "./texts/texts.ts";
import styles from "./destinations.module.css";

export function DestinationSection(props: { destination: ConsoleDestinationFragment; onChanged: () => void }) {
  const { destination, onChanged } = props;
  const { name, kind, getsCalls, url, order, enabled, state, lag, delivered, skipped } = destination;
  const { lastAnswer, waitingLetters, deadLetters, waitingAlerts } = destination;
  const t = useTexts(texts);
  const { format } = useLocale();
  const letters = waitingLetters + deadLetters;
  const word = wordOf(destination);
  const id = `destination-${name}`;
  return (
    <section className={styles["section"]} aria-labelledby={id}>
      <div className={styles["head"]}>
        <h2 id={id}>{name}</h2>
        <span className={styles["state"]} data-state={word}>
          {t.states[word]}
        </span>
        <p className={styles["hint"]}>
          {url} · <code>{kind}</code>
          {getsCalls && (
            <>
              {" "}
              · <code>{order}</code>
            </>
          )}
        </p>
      </div>
      <DestinationAlerts name={name} />
      <p className={styles["lead"]}>{(getsCalls ? t.stateHints : t.chatHints)[word]}</p>
      <dl className={styles["facts"]}>
        {getsCalls && <Fact name={t.lag} value={t.entries(format.number(lag))} />}
        {waitingAlerts !== null && <Fact name={t.waitingAlerts} value={format.number(waitingAlerts)} />}
        <Fact name={t.delivered} value={format.number(delivered)} />
        {getsCalls && <Fact name={t.skipped} value={format.number(skipped)} />}
        {getsCalls && <Fact name={t.letters} value={format.number(letters)} />}
        <div>
          <dt>{t.lastAnswer}</dt>
          <dd>
            {lastAnswer ? (
              <>
                <AnswerText answer={lastAnswer} /> <Time value={lastAnswer.at} />
              </>
            ) : (
              t.noAnswer
            )}
          </dd>
        </div>
        <Failing destination={destination} />
      </dl>
      <DestinationActions destination={destination} onChanged={onChanged} />
      {getsCalls && letters > 0 && <Letters name={name} count={letters} isRunning={enabled && state === "ACTIVE"} />}
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Failing({
  destination: { failingSince, failures, secondsToNext },
}: {
  destination: ConsoleDestinationFragment;
}) {
  const t = useTexts(texts);
  const { format } = useLocale();
  if (failingSince === null) return null;
  return (
    <div>
      <dt>{t.failing}</dt>
      <dd>
        {t.failures(format.number(failures))} <Time value={failingSince} />
        {secondsToNext !== null && <> · {t.nextIn(format.duration(secondsToNext * 1000))}</>}
      </dd>
    </div>
  );
}

function wordOf({ enabled, state, disabledFor, failingSince }: ConsoleDestinationFragment) {
  if (!enabled) return "off";
  if (state === "PAUSED") return "paused";
  if (state === "DISABLED") return disabledFor === "GONE" ? "gone" : "hopeless";
  if (state === null) return "notBegun";
  return failingSince === null ? "active" : "failing";
}
