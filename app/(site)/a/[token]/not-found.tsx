/** Empty: the layout around it says why the link shows nothing. */
export default function NoSuchLink() {
  return null;
}
