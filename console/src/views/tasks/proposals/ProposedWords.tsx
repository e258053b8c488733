// What people would hear: the settings of the assistant as they will be, beside its own where the task changes them.
import { useQuery } from "../../../data/useQuery.ts";
import { useTexts } from "../../../locale/Locale.tsx";
import { useSession } from "../../../session/SessionProvider.tsx";
import { Fact, Section } from "../../../ui/drawer/Facts.tsx";
import { ErrorBar } from "../../../ui/ErrorBar.tsx";
import { proposedWordsDocument } from "../documents.ts";
import { useTaskRights } from "../useTaskRights.ts";
import { texts } from "./texts/texts.ts";
import styles from "./proposals.module.css";

export function ProposedWords({ id }: { id: string }) {
  const t = useTexts(texts);
  const { holds } = useSession();
  const { reads } = useTaskRights();
  const prompts = holds("assistants:prompts");
  const { data, error, refetch } = useQuery(proposedWordsDocument, { id, reads, prompts });
  const { assistantOverride: changed, assistant: own } = data?.taskSubmission?.proposal ?? {};
  if (error) return <ErrorBar code={error.code} what={t.wordsFailed} onRetry={refetch} />;
  if (!changed && !own) return null;
  const hidden = changed?.changesPrompt === true ? t.promptHidden : null;
  return (
    <Section title={t.words}>
      <Words name={t.welcome} changed={changed?.welcome} own={own?.welcome} />
      <Words name={t.prompt} changed={prompts ? changed?.prompt : hidden} own={prompts ? own?.prompt : null} />
      <Words name={t.language} changed={changed?.language && t.languages[changed.language]} own={null} />
      <Words name={t.voice} changed={changed?.speakerId} own={own?.speakerId} />
    </Section>
  );
}

type Text = string | null | undefined;

/** Nothing is shown where neither is known. */
function Words({ name, changed, own }: { name: string; changed: Text; own: Text }) {
  const t = useTexts(texts);
  if (changed == null && own == null) return null;
  return (
    <Fact name={name}>
      <span className={styles["words"]}>{changed ?? own}</span>
      {changed == null ? <small>{t.unchanged}</small> : null}
      {changed != null && own != null ? (
        <small className={styles["words"]}>
          {t.insteadOf} {own}
        </small>
      ) : null}
    </Fact>
  );
}
