import { useLocale } from "../locale/Locale.tsx";
import { useNow } from "../locale/useNow.ts";
import { useSession } from "../session/SessionProvider.tsx";

/** Relative under an hour. On hover exact, in the viewer's zone and in the service's. */
export function Time({ value, unread }: { value: string | null; unread?: string | undefined }) {
  const { t, format } = useLocale();
  const { serviceTimeZone } = useSession();
  const now = useNow(5000);
  if (value === null) return unread === undefined ? t.format.none : <span title={unread}>{t.format.unknown}</span>;
  const title = `${format.exact(value)}\n${format.exact(value, serviceTimeZone)} (${t.format.service})`;
  return (
    <time dateTime={value} title={title}>
      {format.ago(value, now)}
    </time>
  );
}
