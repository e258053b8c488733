/** The time between answer and end: the service's own durations have no known unit. */
export function talkMs({ answerAt, endAt }: { answerAt: string | null; endAt: string | null }): number | null {
  return answerAt && endAt ? Math.max(0, Date.parse(endAt) - Date.parse(answerAt)) : null;
}
