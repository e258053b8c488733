/** Whether the same request may get another answer later: overload, a limit, a time limit, or a failure of the server. */
export const mayAnswerLater = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);
