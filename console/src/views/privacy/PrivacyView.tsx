// What a person may ask of the gateway's operator: to be forgotten, and never to be called.
import { View } from "../../frame/View.tsx";
import { useLocale } from "../../locale/Locale.tsx";
import { ErasePerson } from "./erase/ErasePerson.tsx";
import { NeverCallList } from "./neverCall/NeverCallList.tsx";
import { useNeverCallCount } from "./neverCall/useNeverCallCount.ts";
import styles from "./privacy.module.css";

export function PrivacyView() {
  const { t } = useLocale();
  const count = useNeverCallCount();
  return (
    <View title={t.frame.privacy}>
      <div className={styles["page"]}>
        <ErasePerson onListed={count.refetch} />
        <NeverCallList count={count} />
      </div>
    </View>
  );
}
