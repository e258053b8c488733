import { useCallTexts } from "./callTexts.ts";
import { Drawer } from "../ui/drawer/Drawer.tsx";
import { CallDetails } from "./CallDetails.tsx";

/** `sessionId` null: closed. */
export function CallDrawer(props: { sessionId: string | null; around: string | null; onClose: () => void }) {
  const { sessionId, around, onClose } = props;
  const own = useCallTexts();
  const call = sessionId === null ? null : { sessionId, around };
  return (
    <Drawer title={own.title} closeLabel={own.close} kind="call" shown={call} onClose={onClose}>
      {(shown) => <CallDetails key={shown.sessionId} {...shown} />}
    </Drawer>
  );
}
