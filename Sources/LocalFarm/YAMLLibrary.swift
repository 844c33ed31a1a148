import CYaml

/// The library that reads YAML.
package enum YAMLLibrary {
    /// The name and version of the library that is loaded.
    package static var version: (name: String, version: String) {
        ("libyaml", String(cString: yaml_get_version_string()))
    }
}
