// People of a task who are not called again, and why.
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import type { ConsoleCheckTaskMutation } from "../../gql/graphql.ts";
import { texts } from "./create/texts/texts.ts";

export type CalledAgain = NonNullable<ConsoleCheckTaskMutation["checkTask"]["calledAgainFrom"]>;

export function LeftOut({
  of: { leftOut, withoutVariables },
}: {
  of: Pick<CalledAgain, "leftOut" | "withoutVariables">;
}) {
  const { format } = useLocale();
  const { again } = useTexts(texts);
  return (
    <>
      {leftOut.length > 0 && (
        <ul aria-label={again.leftOut}>
          {leftOut.map(({ reason, people }) => (
            <li key={reason}>{again.why[reason](format.number(people))}</li>
          ))}
        </ul>
      )}
      {withoutVariables > 0 && <p>{again.withoutVariables(format.number(withoutVariables))}</p>}
    </>
  );
}
