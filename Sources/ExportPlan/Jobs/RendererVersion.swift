/// The version of the renderer, part of every artifact's key. It is raised whenever the same slice would give other
/// bytes, so that no artifact of an older renderer is taken for a new one. It is also raised when fields of a job get other
/// names: a renderer refuses jobs of another version, and would take the fields that it does not know for missing ones.
package let rendererVersion = 17
