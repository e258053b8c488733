// A view whose code is loaded when it is needed. Where it cannot be fetched, its title and the state of the console stand there.
import type { ComponentType } from "react";
import { useLocale } from "../locale/Locale.tsx";
import type { Texts } from "../texts/en.ts";
import { lazyPart, NotLoaded, type LazyPart } from "../ui/lazyPart.tsx";
import { View } from "./View.tsx";

/** `name`: of the component in its module. `title`: of the view, while its code could not be loaded. */
export function lazyView<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  title: (t: Texts) => string,
): LazyPart<object> {
  return lazyPart(load, name, function ViewNotLoaded() {
    const { t } = useLocale();
    return (
      <View title={title(t)}>
        <NotLoaded />
      </View>
    );
  });
}
