// A table is one stop of the Tab key: the link of one row. The others are reached by the arrow keys, j and k.
import { createContext, useContext } from "react";

/** Whether the row is the stop. */
export const RowStopContext = createContext(true);

/** For the link of a row. */
export const useRowTabIndex = (): 0 | -1 => (useContext(RowStopContext) ? 0 : -1);
