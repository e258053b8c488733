// The routes of the views, and how an address is written: plain names and texts, so that an ID stays what it is.
import { createRoute, createRouter, redirect } from "@tanstack/react-router";
import { Frame } from "./frame/Frame.tsx";
import { NotFound, ViewFailed } from "./frame/NotFound.tsx";
import { rootRoute } from "./frame/rootRoute.tsx";
import { viewRoutes } from "./views.ts";

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/live", search, replace: true });
  },
});

function makeRouter() {
  return createRouter({
    routeTree: rootRoute
      .update({ component: Frame, notFoundComponent: NotFound })
      .addChildren([indexRoute, ...viewRoutes]),
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch(search) {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
      const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
      return text === "" ? "" : `?${text}`;
    },
    defaultErrorComponent: ViewFailed,
    scrollRestoration: false,
  });
}

export const router = makeRouter();

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
