// The route above every view. `call` in the address opens the details of a call over any view; `around` is a time near it, by
// which the service's list is searched where the log does not have the call.
import { createRootRoute } from "@tanstack/react-router";

export interface RootSearch {
  call?: string | undefined;
  around?: string | undefined;
}

export const rootRoute = createRootRoute({
  validateSearch: (search: Record<string, unknown>): RootSearch => {
    const { call, around } = search;
    if (typeof call !== "string" || call === "") return {};
    return typeof around === "string" && !Number.isNaN(Date.parse(around)) ? { call, around } : { call };
  },
});
