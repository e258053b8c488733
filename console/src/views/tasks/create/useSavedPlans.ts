import { useState } from "react";
import { createKey, type Fields } from "./draft.ts";
import { readPlans, removePlan, savePlan, type SavedPlan } from "./savedPlans.ts";

export interface SavedPlans {
  plans: readonly SavedPlan[];
  /** The saved plan that the form goes on with: saving again replaces it. */
  openId: string | null;
  /** What became of the last action. */
  told: "saved" | "notSaved" | "removed" | null;
  save(fields: Fields): void;
  open(plan: SavedPlan): void;
  remove(id: string): void;
}

export function useSavedPlans(viewer: string, onOpen: (fields: Fields) => void): SavedPlans {
  const [plans, setPlans] = useState(() => readPlans(viewer));
  const [openId, setOpenId] = useState<string | null>(null);
  const [told, setTold] = useState<SavedPlans["told"]>(null);
  return {
    plans,
    openId,
    told,
    save(fields) {
      const id = openId ?? createKey();
      const isKept = savePlan(viewer, { id, savedAt: new Date().toISOString(), fields });
      if (isKept) setOpenId(id);
      setPlans(readPlans(viewer));
      setTold(isKept ? "saved" : "notSaved");
    },
    open(plan) {
      setOpenId(plan.id);
      setTold(null);
      onOpen(plan.fields);
    },
    remove(id) {
      removePlan(viewer, id);
      setPlans(readPlans(viewer));
      if (openId === id) setOpenId(null);
      setTold("removed");
    },
  };
}
