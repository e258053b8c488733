import { useTexts } from "../../locale/Locale.tsx";
import { Button } from "../Button.tsx";
import { texts } from "./texts/texts.ts";
import styles from "./pages.module.css";

/** Turns the pages of a list that begins with the newest. Nothing where it has one page. */
export function Pages(props: {
  page: { pageInfo: { hasNextPage: boolean; endCursor: string | null } } | null | undefined;
  after: string | null;
  onTurn: (after: string | null) => void;
}) {
  const { page, after, onTurn } = props;
  const t = useTexts(texts);
  const { hasNextPage = false, endCursor = null } = page?.pageInfo ?? {};
  if (after === null && !hasNextPage) return null;
  return (
    <div className={styles["pages"]}>
      <Button disabled={after === null} onClick={() => onTurn(null)}>
        {t.newest}
      </Button>
      <Button disabled={!hasNextPage} onClick={() => onTurn(endCursor)}>
        {t.older}
      </Button>
    </div>
  );
}
