import { Link } from "@tanstack/react-router";
import { useLocale } from "../locale/Locale.tsx";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";
import { View } from "./View.tsx";

export function NotFound() {
  const { t } = useLocale();
  return (
    <View title={t.frame.notFound}>
      <Notice title={t.frame.notFound}>
        <Link to="/live">{t.frame.toLive}</Link>
      </Notice>
    </View>
  );
}

/** For an error that a component threw. */
export function ViewFailed() {
  const { t } = useLocale();
  return (
    <View title={t.frame.failed}>
      <Notice title={t.frame.failed} kind="error">
        <Button onClick={() => location.reload()}>{t.frame.reload}</Button>
      </Notice>
    </View>
  );
}
