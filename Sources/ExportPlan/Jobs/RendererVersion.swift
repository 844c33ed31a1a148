/// The version of the renderer, part of every artifact's key. It is raised whenever the same slice would give other
/// bytes, so that no artifact of an older renderer is taken for a new one.
package let rendererVersion = 11
