// The route above every view. `call` in the address opens the details of a call over any view.
import { createRootRoute } from "@tanstack/react-router";

export interface RootSearch {
  call?: string | undefined;
}

export const rootRoute = createRootRoute({
  validateSearch: (search: Record<string, unknown>): RootSearch => {
    const call = search["call"];
    return typeof call === "string" && call !== "" ? { call } : {};
  },
});
