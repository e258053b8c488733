import { useTexts } from "../../locale/Locale.tsx";
import { Button } from "../../ui/Button.tsx";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./health.module.css";

/** Turns the pages of a list that begins with the newest. Nothing where it has one page. */
export function Pages(props: {
  page: { pageInfo: { hasNextPage: boolean; endCursor: string | null } } | null | undefined;
  after: string | null;
  onTurn: (after: string | null) => void;
}) {
  const { page, after, onTurn } = props;
  const t = useTexts({ en, zh });
  const { hasNextPage = false, endCursor = null } = page?.pageInfo ?? {};
  if (after === null && !hasNextPage) return null;
  return (
    <div className={styles["pages"]}>
      <Button disabled={after === null} onClick={() => onTurn(null)}>
        {t.toNewest}
      </Button>
      <Button disabled={!hasNextPage} onClick={() => onTurn(endCursor)}>
        {t.older}
      </Button>
    </div>
  );
}
