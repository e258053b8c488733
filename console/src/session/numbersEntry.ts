/** Phone numbers of a task that is being written: they go when somebody signs out. */
export const NUMBERS_ENTRY = "switchboard-new-task-numbers";
