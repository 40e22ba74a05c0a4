use toolwright::tool;

/// Render a scene.
#[tool(durable = true)]
async fn render(scene: String) -> String {
    scene
}

fn main() {}
