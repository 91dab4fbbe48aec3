/** The list stays as it is while an event is opened beside it, so there is nothing to show anew. */
export default function Default() {
  return null;
}
