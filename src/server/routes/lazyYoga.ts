// Yoga, loaded when it is first needed: what browsers and most clients ask goes the straight way, and a gateway that never
// needs it starts sooner and stays smaller.
import type { YogaDeps, YogaHandler } from "./yoga.ts";

export function createLazyYoga(deps: YogaDeps): YogaHandler {
  let loaded: Promise<YogaHandler> | undefined;
  return async (request, response, asking) => {
    loaded ??= import("./yoga.ts").then(({ createYogaHandler }) => createYogaHandler(deps));
    await (
      await loaded
    )(request, response, asking);
  };
}
